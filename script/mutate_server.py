"""The tests of mutants of src/pg, for script/mutate: the simulation, and servers."""
import functools
import glob
import hashlib
import os
import pathlib
import pwd
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PG = {name: subprocess.run([os.environ.get('PG_CONFIG') or 'pg_config', f'--{name}'], capture_output=True, text=True,
                           check=False).stdout.strip() for name in ('bindir', 'pkglibdir', 'pgxs')}
TESTS = os.path.dirname(PG['pgxs']) + '/../../src/test'


def run(command, seconds=None, **options):
    """The exit status; -1 after so many seconds."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True, **options) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return -1


class Simulation:
    """test/sim, whose sim_code.c includes files of src/pg."""

    def __init__(self, folder):
        for text in [open(f).read() for f in glob.glob(f'{TOP}/src/pg/*.[ch]')]:
            for header in re.findall(r'^#include "((?!postgres\.h|pg/|format/).*)"$', text, re.M):
                os.makedirs(os.path.dirname(f'{folder}/include/{header}'), exist_ok=True)
                open(f'{folder}/include/{header}', 'w').close()
        self.code = f'{TOP}/test/sim/sim_code.c'
        self.included = ['src/' + f for f in re.findall(r'#include "(pg/.*\.c)"', open(self.code).read())]
        self.compile = ['gcc', '-std=gnu17', '-D_GNU_SOURCE', '-w', '-O1', f'-I{TOP}/test/sim', f'-I{TOP}/test/sim/server',
                        f'-I{folder}/include', f'-I{TOP}/src']
        self.objects = []
        for source in glob.glob(f'{TOP}/src/format/*.c') + glob.glob(f'{TOP}/test/sim/*.c'):
            if source != self.code:
                self.objects.append(f'{folder}/{os.path.basename(source)[:-2]}.o')
                if run([*self.compile, '-c', source, '-o', self.objects[-1]]) != 0:
                    sys.exit(f'mutate: {source} does not compile')

    def link(self, mutant, folder):
        """sim_code.c includes the mutant by the name of the original."""
        shutil.rmtree(f'{folder}/pg', ignore_errors=True)
        os.makedirs(f'{folder}/pg')
        pathlib.Path(f'{folder}/{mutant.path[4:]}').write_bytes(mutant.code)
        return run(['gcc', f'-I{folder}', *self.compile[1:], self.code, *self.objects, '-o', f'{folder}/simulate']) == 0

    def passes(self, folder, seconds):
        return run([f'{folder}/simulate', str(seconds), '1'], 90, env={**os.environ, 'SIM_SHRINK': '0'}) == 0


class Server:
    """A server for each job, in the folders that script/mutants has made."""

    def __init__(self, folder):
        self.work = os.environ.get('MUTATE_WORK') or sys.exit('mutate: src/pg needs "make mutants GENERATE=..."')
        self.simulation = Simulation(folder)
        self.assigned = {path: tests.split() for path, tests in
                         [line.split('\t') for line in open(f'{TOP}/test/mutants/tests.tsv')]}
        made = subprocess.run(['make', '-n', '-B', '-f', f'{TOP}/Makefile', 'with_llvm=no', 'flakeid.so'],
                              cwd=f'{self.work}/build', capture_output=True, text=True, check=True).stdout
        commands = [shlex.split(line) for line in made.splitlines()]
        self.compile = {c[-1]: c[:-4] for c in commands if '-c' in c}
        self.linking = next(c for c in commands if '-shared' in c)
        self.folders = queue.SimpleQueue()
        for name in sorted(glob.glob(f'{self.work}/[0-9]*')):
            self.folders.put(name)
        self.shared = [*self.simulation.included, *(f'src/pg/{n}.c' for n in ('flake', 'flakeid', 'settings'))]
        self.seconds = {}
        self.originals = {}
        self.outcomes = {}

    def marks(self, mutant):
        """Results are kept until the function changes, "survived" until a test changes."""
        return [hashlib.sha256(mutant.function + more).hexdigest()[:16] for more in (b'', self.read_tests(mutant.path))]

    @functools.cache
    def read_tests(self, path):
        names = [n if n.startswith('t/') else f'expected/{n[4:]}.out' for n in self.assigned[path]]
        files = [f'{TOP}/{n}' for n in names] + sorted(glob.glob(f'{TOP}/test/sim/*.[ch]'))
        return b''.join(pathlib.Path(f).read_bytes() for f in files)

    def as_user(self, command, folder, seconds=None, cwd=None):
        """Run as the user that may start servers, with the programs of this job."""
        user = pwd.getpwnam(os.environ['MUTATE_USER'])
        options = {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []} if os.getuid() == 0 else {}
        return run(command, seconds, **options, cwd=cwd or folder, env={
            'PATH': f'{folder}/root{PG["bindir"]}:{os.environ["PATH"]}', 'LC_ALL': 'C.UTF-8',
            'HOME': folder, 'TMPDIR': f'{folder}/tmp', 'PGHOST': f'{folder}/tmp', 'PGUSER': 'postgres',
            'TESTDIR': folder, 'PG_TEST_PORT_DIR': f'{self.work}/tmp', 'CHECK_SCALE': '0.1', 'RANDOM_VALUES': '500',
            'PG_REGRESS': f'{TESTS}/regress/pg_regress'})

    def end_servers(self, folder):
        for file in glob.glob(f'{folder}/data/postmaster.pid') + glob.glob(f'{folder}/tmp_check/*/pgdata/postmaster.pid'):
            process = f'/proc/{open(file).readline().strip()}'
            try:
                # Another process may have this number now.
                if os.readlink(f'{process}/cwd').startswith(f'{folder}/'):
                    os.kill(int(process[6:]), signal.SIGQUIT)
                    end = time.monotonic() + 10
                    while os.path.exists(process):
                        time.sleep(0.05)
                        # A loop in _PG_init() does not end otherwise.
                        if time.monotonic() > end:
                            os.kill(int(process[6:]), signal.SIGKILL)
            except OSError:
                pass

    def ready(self, path, folder):
        """A server that stays up gets a new database; it starts anew if a mutant may have changed its shared memory,
        or if a test failed: its files would let the next one fail."""
        again = ['psql', '-X', '-q', '-d', 'postgres', '-c', 'DROP DATABASE contrib_regression WITH (FORCE)',
                 '-c', 'CREATE DATABASE contrib_regression TEMPLATE installed STRATEGY file_copy']
        stays = not set(self.sources(path)) & set(self.shared) and not glob.glob(f'{folder}/tmp_check/t_*')
        return stays and self.as_user(again, folder, 30) == 0 or self.start(folder)

    def start(self, folder):
        self.end_servers(folder)
        for old in glob.glob(f'{folder}/data') + glob.glob(f'{folder}/tmp_check/t_*'):
            shutil.rmtree(old)
        run(['cp', '-a', f'{self.work}/data', folder])
        return self.as_user(['pg_ctl', '-D', f'{folder}/data', '-l', f'{folder}/tmp/log', '-o', f'-k {folder}/tmp',
                             '-w', '-s', 'start'], folder, 60) == 0

    def passes(self, test, folder, seconds=None):
        if test.startswith('t/'):
            # Servers of an earlier run have written here, too.
            shutil.rmtree(f'{folder}/tmp_check/log', ignore_errors=True)
            return self.as_user(['prove', '-I', 't', '-I', f'{TESTS}/perl', test], folder, seconds, TOP) == 0
        return self.as_user([f'{TESTS}/regress/pg_regress', '--use-existing', '--dbname=contrib_regression',
                             f'--inputdir={TOP}', f'--bindir={folder}/root{PG["bindir"]}', test[4:]], folder, seconds) == 0

    def prove(self, path):
        """The tests of the file must pass without a mutant, which also tells how long they take."""
        folder = self.folders.get()
        run(['cp', '-a', f'{self.work}/root/.', f'{folder}/root'])
        for test in self.assigned[path]:
            begun = time.monotonic()
            if test not in self.seconds and not (self.start(folder) and self.passes(test, folder)):
                sys.exit(f'mutate: {test} fails without a mutant')
            self.seconds.setdefault(test, time.monotonic() - begun)
            print(f'{path}: {test} {self.seconds[test]:.1f} s', flush=True)
        self.folders.put(folder)

    @functools.cache
    def sources(self, path):
        """The file itself, or those that include the header."""
        if path.endswith('.c'):
            return [path]
        return [source[len(TOP) + 1:] for source, command in self.compile.items()
                if f'/{path}' in subprocess.run([*command, '-MM', source], capture_output=True, text=True,
                                                check=True).stdout]

    def compiled(self, path, code, folder):
        """Object code under names that are always the same; None if invalid."""
        shutil.rmtree(f'{folder}/mutant', ignore_errors=True)
        os.makedirs(f'{folder}/mutant/pg')
        pathlib.Path(f'{folder}/mutant/{path[4:]}').write_bytes(code)
        objects = []
        for source in self.sources(path):
            file = f'{TOP}/{source}' if path.endswith('.h') else source[4:]
            objects.append(f'{folder}/mutant/{source[4:-2]}.o')
            command, *flags = self.compile[f'{TOP}/{source}']
            if run([command, '-I.', *flags, '-w', '-g0', '-c', file, '-o', objects[-1]], cwd=f'{folder}/mutant') != 0:
                return None
        return b''.join(pathlib.Path(o).read_bytes() for o in objects)

    def install(self, path, folder):
        """Link it under a new name: servers have the old file open."""
        library = f'{folder}/root{PG["pkglibdir"]}/flakeid.so'
        words = {f'{s[:-2]}.o': f'{folder}/mutant/{s[4:-2]}.o' for s in self.sources(path)} | {'flakeid.so': f'{library}.new'}
        made = run([words.get(word, word) for word in self.linking], cwd=f'{self.work}/build') == 0
        if made:
            os.rename(f'{library}.new', library)
        return made

    def tested(self, mutant, folder):
        simulated = set(self.sources(mutant.path)) & set(self.simulation.included)
        # Most are caught within a second; another one may tell more than a test that takes longer.
        if simulated and not (self.simulation.link(mutant, folder) and self.simulation.passes(folder, 1)):
            return 'caught by the simulation'
        if not self.install(mutant.path, folder):
            return 'invalid'
        if self.assigned[mutant.path] and not self.ready(mutant.path, folder):
            return 'caught at the start'
        for test in self.assigned[mutant.path]:
            if not self.passes(test, folder, 30 + 10 * self.seconds[test]):
                return f'caught by {test}'
        return 'caught by the simulation' if simulated and not self.simulation.passes(folder, 5) else 'survived'

    def outcome(self, mutant, _):
        folder = self.folders.get()
        try:
            if mutant.path not in self.originals:
                original = pathlib.Path(f'{TOP}/{mutant.path}').read_bytes()
                self.originals[mutant.path] = self.compiled(mutant.path, original, folder)
            code = self.compiled(mutant.path, mutant.code, folder)
            if code is None or code == self.originals[mutant.path]:
                return 'invalid' if code is None else 'equivalent'
            if code not in self.outcomes:
                self.outcomes[code] = self.tested(mutant, folder)
            return self.outcomes[code]
        finally:
            self.folders.put(folder)
