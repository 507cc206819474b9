# Sourced by tools/lockstep, tools/test and tools/bench: where things are, and one quiet build.
#
# lockstep_build FOLDER TARGET [CMAKE-OPTION...] configures build/FOLDER once and brings TARGET up
# to date. It prints one line on stderr if there is something to build, and the compiler's output
# if that fails. Two of these at once take turns: a lock file lies beside the build folder.

lockstep_root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)"

lockstep_configure() {
  local folder="$1"
  shift
  local asked="$lockstep_root $*" known=""
  [[ -f "$folder/lockstep.options" ]] && known="$(< "$folder/lockstep.options")"
  [[ "$known" == "$asked" && -f "$folder/build.ninja" ]] && return 0
  # A checkout that was moved cannot keep its build: CMake remembers the old path.
  [[ "$known" == "$lockstep_root "* ]] || rm -rf "$folder"
  if ! cmake -G Ninja -S "$lockstep_root" -B "$folder" -DCMAKE_BUILD_TYPE=Release "$@" \
    > "$folder.log" 2>&1; then
    cat "$folder.log" >&2
    echo "lockstep: configuring failed" >&2
    return 1
  fi
  echo "$asked" > "$folder/lockstep.options"
}

# Follows ninja's output, says once that there is something to build, keeps everything in a log.
lockstep_announce() {
  local line announced=no
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $announced == no && $line =~ ^\[[0-9]+/([0-9]+)\]\ (Building|Linking) ]]; then
      announced=yes
      echo "lockstep: building $1, ${BASH_REMATCH[1]} steps" \
        "(the first time takes a few minutes) ..." >&2
    fi
  done > "$2"
}

lockstep_build() {
  local folder="$lockstep_root/build/$1" target="$2"
  shift 2
  mkdir -p "$lockstep_root/build" || return 1
  (
    flock 9 || exit 1
    lockstep_configure "$folder" "$@" || exit 1
    set -o pipefail
    if ! NINJA_STATUS='[%f/%t] ' ninja -C "$folder" -j "$(nproc)" "$target" 2>&1 9>&- |
      lockstep_announce "$target" "$folder.log"; then
      grep -v '^\[[0-9]*/[0-9]*\] \(Building\|Linking\|Re-\)' "$folder.log" >&2
      echo "lockstep: the build failed; ${folder#"$lockstep_root/"}.log has everything" >&2
      exit 1
    fi
  ) 9> "$folder.lock"
}
