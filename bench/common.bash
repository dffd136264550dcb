# Shared by the measuring scripts of this folder: finding programs, timing commands, medians.
# Sourced, not run. Needs bash 5 and awk.

bench_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hone=${HONE:-$bench_dir/../build/hone}

die() {
    echo "${0##*/}: $*" >&2
    exit 2
}

# Progress goes to a terminal only, so that logs hold results alone.
progress() {
    if [ -t 2 ]; then printf '\r\033[K%s' "$*" >&2; fi
}

need_hone() {
    [ -x "$hone" ] || die "no Hone at $hone (build it, or set HONE)"
}

# A folder that goes away with the script.
make_scratch() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
}

# measure OUTPUT COMMAND...: runs it with its output in the file OUTPUT. Leaves seconds of wall clock and of user plus
# system time in $wall and $cpu; returns the command's exit code.
measure() {
    local output=$1 code=0
    shift
    local TIMEFORMAT='%R %U %S' user system
    { time "$@" > "$output" 2>&1 < /dev/null; } 2> "$scratch/time" || code=$?
    read -r wall user system < "$scratch/time"
    cpu=$(awk -v u="$user" -v s="$system" 'BEGIN { printf "%.3f", u + s }')
    return $code
}

# spread: reads numbers, one a line; prints "median min max".
spread() {
    sort -g | awk '{ v[NR] = $1 }
        END { m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2; printf "%.3f %.3f %.3f\n", m, v[1], v[NR] }'
}

# The name under which Chez Scheme is installed here, or nothing.
find_chez() {
    local name
    for name in chezscheme chez-scheme chez scheme; do
        # Chez prints its bare version number; other programs called `scheme` do not.
        if command -v "$name" > /dev/null &&
            "$name" --version 2>&1 < /dev/null | grep -Eq '^(Chez Scheme Version )?[0-9]+\.[0-9.]+$'; then
            echo "$name"
            return
        fi
    done
}
