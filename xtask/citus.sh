#!/bin/sh
# Runs the suite of stores against a Citus coordinator:
#
#     xtask/citus.sh postgres://user@coordinator/postgres
#
# The user must be allowed to make databases. One is made, called tabia_ and a number, and left for a look afterwards.
set -eu
url=${1:?"the address of a Citus coordinator: postgres://user@host/postgres"}
name="tabia_$(date +%s)"
psql "$url" -v ON_ERROR_STOP=1 -c "CREATE DATABASE $name"
TABIA_CITUS="${url%/*}/$name" cargo test -p tabia-book --test postgres_citus -- --ignored a_real_citus
