#!/usr/bin/env bash
# Builds the extension with checks in it, beside the installed one, and plays on it.
#
#   tools/checked.sh debug       everything kept up to date incrementally is recomputed at every decision and compared
#   tools/checked.sh sanitize    AddressSanitizer and UndefinedBehaviorSanitizer, the recomputing included (GCC)
#   tools/checked.sh threads     ThreadSanitizer: games, simulate, rollouts and batches in many threads (GCC). It sees most
#                                with PYTHON a free-threaded interpreter configured --with-thread-sanitizer
#
# CHECK_SECONDS (default 60) is the length of the lock-step soak. Anything after the mode is run in place of the
# usual programme with the checked build: `tools/checked.sh sanitize python -m pytest tests/api`.
# Packages come from the Python at hand, which has to have the ones of `.[test]`; nothing in it is changed.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-}
python=${PYTHON:-python}
seconds=${CHECK_SECONDS:-60}
PATH=$("$python" -c 'import sysconfig; print(sysconfig.get_path("scripts"))'):$PATH  # cython
case $mode in
  debug) defines=(-C cmake.define.CYSMIC_DEBUG=ON) preload="" ;;
  sanitize) defines=(-C cmake.define.CYSMIC_DEBUG=ON -C cmake.define.CYSMIC_SANITIZE=address,undefined)
            preload="libasan.so libubsan.so" ;;
  threads) defines=(-C cmake.define.CYSMIC_SANITIZE=thread) preload="libtsan.so" ;;
  *) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
shift

# An environment without pip: its own site-packages hold this build alone, the packages of the Python at hand follow.
# A path in a .pth file does not bring along the .pth files there, hence no editable install either.
venv=build/checked/$mode
"$python" -m venv --without-pip --clear "$venv"
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" -c 'import sys; print(*[p for p in sys.path if p.endswith("-packages")], sep="\n")' > "$site/packages.pth"
"$python" -m pip --python "$venv/bin/python" install -q --no-deps --no-build-isolation --no-cache-dir \
    --disable-pip-version-check -C build-dir="build/checked/$mode-cmake" -C install.strip=false "${defines[@]}" .
for library in $preload; do
  libraries="${libraries:+$libraries }$(gcc -print-file-name="$library")"
done

# Free-threaded Python has its own allocator and no other.
malloc=$("$python" -c 'import sysconfig; print("" if sysconfig.get_config_var("Py_GIL_DISABLED") else "malloc")')

# What an interpreter that is instrumented itself reports is meant.
suppressions=tools/tsan.txt
case $("$python" -c 'import sysconfig; print(sysconfig.get_config_var("CONFIG_ARGS"))') in
  *--with-thread-sanitizer*) suppressions= ;;
esac

# Leaks are the interpreter's: it frees little at its end. aligned_alloc has to fail, not to stop the process.
run() {
  printf '+ %s\n' "$*"
  env LD_PRELOAD="${libraries:-}" PYTHONMALLOC="${preload:+$malloc}" PYTHONDONTWRITEBYTECODE=1 \
      ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0 \
      UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
      TSAN_OPTIONS="suppressions=$suppressions exitcode=66" \
      PATH="$PWD/$venv/bin:$PATH" "$@"
}

run python -P -c "
from cysmic_fast import _native
info = _native.build_info()
print(_native.__file__, info['compiler'], info['build_flags'], 'debug' if info['debug'] else '', sep='\n  ')"
if [ $# -gt 0 ]; then
  run "$@"
  exit
fi
case $mode in
  debug)
    run python -P -m cysmic_fast.signature --check tests/golden/signature.json
    run python -P -m cysmic_fast.crosscheck --seconds "$seconds" --seed 40 ;;
  sanitize)
    run python -P -m cysmic_fast.signature --check tests/golden/signature.json
    # Everything is five to ten times as slow: tests that wait for signals cannot be in time. What is freed is kept
    # for a while, so that its use is seen: memory is not flat.
    run python -P -m pytest -q -p no:cacheprovider --hypothesis-profile=ci -k "not interrupt" \
        --ignore=tests/api/test_memory.py tests/kernels tests/api tests/cards/test_attackers.py \
        tests/information/test_batches.py tests/information/test_playouts.py
    run python -P -m cysmic_fast.crosscheck --seconds "$seconds" --seed 41 ;;
  threads)
    # -s: pytest would keep to itself what the sanitizer reports.
    run python -P -m pytest -q -s -p no:cacheprovider tests/api/test_threads.py
    # A forked child starts threads of its own, which the sanitizer does not follow.
    run python -P -m pytest -q -s -p no:cacheprovider -k "thread and not fork" tests/batch tests/rollouts ;;
esac
echo "nothing found ($mode)"
