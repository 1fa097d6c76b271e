import { execFile, execFileSync, spawn } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

/** Where buildah and podman keep images and containers: apart from any that the machine has. */
const storage = '.data/images/storage';
const state = '.data/images/run';

/** One driver for every call: buildah and podman refuse a folder that another one wrote. */
const storageFlags = ['--root', storage, '--runroot', state, '--storage-driver', 'overlay'];

/** A build step runs in a changed root, which needs no rights beyond root's. */
const environment = { ...process.env, BUILDAH_ISOLATION: 'chroot' };

/** The programs of Debian that building takes, and those that the test takes too. */
const programs = {
  build: ['buildah', 'mmdebstrap'],
  test: ['buildah', 'mmdebstrap', 'unshare', 'ip', 'psql', 'redis-server'],
};

/** The reasons why this machine cannot build or test images. */
export function missingFor(purpose: keyof typeof programs): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...(isRoot ? [] : ['it takes root']),
    ...programs[purpose].filter((program) => !isInstalled(program)).map((program) => `${program} is missing`),
  ];
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs buildah; gives what it printed. */
export async function buildah(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('buildah', [...storageFlags, ...args], {
    env: environment,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.trim();
}

/** The command line of a call of podman or buildah. */
function containerCommand(
  program: 'podman' | 'buildah',
  args: readonly string[],
): readonly [program: string, args: readonly string[]] {
  const runtime = program === 'podman' ? ['--runtime', 'runc', '--log-level', 'fatal'] : [];
  return [program, [...runtime, ...storageFlags, ...args]];
}

/** Starts podman or buildah, and leaves it running; what it prints goes to standard error. */
export function startContainerCommand(program: 'podman' | 'buildah', args: readonly string[]) {
  const [command, words] = containerCommand(program, args);
  return spawn(command, words, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Runs podman or buildah to its end. Rejects when it fails. */
export async function runContainerCommand(
  program: 'podman' | 'buildah',
  args: readonly string[],
): Promise<string> {
  const [command, words] = containerCommand(program, args);
  const { stdout } = await promisify(execFile)(command, words, { env: environment });
  return stdout.trim();
}
