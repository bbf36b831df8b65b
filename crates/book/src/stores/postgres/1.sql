-- Books shared by many machines. Counters are plain columns, so that adding is an upsert.
--
-- Distribution column under Citus: `key`. All moves of a position live on one machine, and both
-- look-ups and upserts name the key. (Replace PARTITION BY by create_distributed_table there.)
CREATE TABLE tabia_variant (
    number      smallint PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    fingerprint bytea NOT NULL,
    wins0       bigint NOT NULL DEFAULT 0,
    wins1       bigint NOT NULL DEFAULT 0,
    draws       bigint NOT NULL DEFAULT 0,
    met         bigint NOT NULL DEFAULT 0,
    played      bigint NOT NULL DEFAULT 0
);
CREATE TABLE tabia_game (id bytea PRIMARY KEY);
-- key: variant number, packed position. move: its number; -1 holds what the position's totals are
-- above (or below) the sum of its moves, and is missing where they are equal.
CREATE TABLE tabia_row (
    key   bytea NOT NULL,
    move  bigint NOT NULL,
    wins0 bigint NOT NULL,
    wins1 bigint NOT NULL,
    draws bigint NOT NULL,
    PRIMARY KEY (key, move)
) PARTITION BY HASH (key);
CREATE TABLE tabia_row_0 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE tabia_row_1 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE tabia_row_2 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE tabia_row_3 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE tabia_row_4 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE tabia_row_5 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE tabia_row_6 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE tabia_row_7 PARTITION OF tabia_row FOR VALUES WITH (MODULUS 8, REMAINDER 7);
