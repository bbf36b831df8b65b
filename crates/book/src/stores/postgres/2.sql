-- Writers that do not wait for each other. Every batch counts the openings, so with one row for each
-- (position, move) the second of two writers would stand still until the first has committed. Here each
-- writer has rows of its own, and readers add them up.
--
-- line: move number * 16 + the writer's slot (0 to 15). Lines below 0, -1 - slot, hold what the
-- position's totals are above (or below) the sum of its moves; they are missing where they would be 0.
--
-- Distribution column under Citus: `key`. All lines of a position live on one machine, and both
-- look-ups and upserts name the key. (Replace PARTITION BY by create_distributed_table there.)
CREATE TABLE tabia_line (
    key   bytea NOT NULL,
    line  bigint NOT NULL,
    wins0 bigint NOT NULL,
    wins1 bigint NOT NULL,
    draws bigint NOT NULL,
    PRIMARY KEY (key, line)
) PARTITION BY HASH (key);
DO $$ BEGIN
    FOR part IN 0..7 LOOP
        EXECUTE format('CREATE TABLE tabia_line_%s PARTITION OF tabia_line FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
            part, part);
    END LOOP;
END $$;
INSERT INTO tabia_line
    SELECT key, CASE WHEN move < 0 THEN -1 ELSE move * 16 END, wins0, wins1, draws FROM tabia_row;
DROP TABLE tabia_row;
-- For people: one row for each (position, move).
CREATE VIEW tabia_row AS
    SELECT key, line >> 4 AS move, sum(wins0) AS wins0, sum(wins1) AS wins1, sum(draws) AS draws
    FROM tabia_line WHERE line >= 0 GROUP BY key, line >> 4;
