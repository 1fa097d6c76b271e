import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

import { childrenOf, findProcess } from '@meridian/processes';
import type { ComposeService } from './compose-project.ts';
import { buildah, isInstalled, runContainerCommand, startContainerCommand } from './tools.ts';

/** A container to run. It shares the network of this process, as the containers of a pod share theirs. */
export interface ContainerOptions extends Omit<ComposeService, 'app'> {
  readonly image: string;
  /** Files of this machine, by their paths in the container. */
  readonly files: Readonly<Record<string, string>>;
  /** Names that are 127.0.0.1. */
  readonly hosts: readonly string[];
}

export interface Container {
  /** Settles with the exit code; null for a process that a signal ended. */
  readonly exited: Promise<number | null>;
  /** Its standard output so far. */
  output(): string;
  /** Runs a command in it; rejects when that fails. */
  run(command: readonly string[]): Promise<string>;
  /** Sends SIGTERM to its process 1, and settles with the exit code. */
  stop(): Promise<number | null>;
}

/** A way to run containers. */
export interface ContainerRunner {
  readonly name: 'podman' | 'chroot';
  start(options: ContainerOptions): Promise<Container>;
}

/**
 * Picks podman, or where it cannot start this image, a changed root: the same files and user, but a root file system
 * that can be written to, all capabilities, and no namespaces.
 */
export async function findRunner(image: string): Promise<ContainerRunner> {
  if (isInstalled('podman') && isInstalled('runc')) {
    try {
      await runContainerCommand('podman', [...podmanFlags, '--rm', image, 'node', '--version']);
      return { name: 'podman', start: startWithPodman };
    } catch (error) {
      console.warn(`podman cannot run containers here, so buildah does: ${String(error)}`);
    }
  }
  return { name: 'chroot', start: startWithBuildah };
}

/** The machine's own limits may be below podman's defaults, and cgroups may be a mixture that runc cannot write to. */
const podmanFlags = [
  'run',
  '--pull=never',
  '--network=host',
  '--cgroups=no-conmon',
  '--security-opt=seccomp=unconfined',
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1024:1024',
  '--no-healthcheck',
];

async function startWithPodman(options: ContainerOptions): Promise<Container> {
  const name = `meridian-${options.name}-${process.pid}`;
  const child = startContainerCommand('podman', [
    ...podmanFlags,
    '--rm',
    '--name',
    name,
    ...(options.readOnly ? ['--read-only'] : []),
    ...options.tmpfs.flatMap((path) => ['--tmpfs', path]),
    ...options.dropped.flatMap((capability) => ['--cap-drop', capability]),
    ...options.hosts.flatMap((host) => ['--add-host', `${host}:127.0.0.1`]),
    ...mountsOf(options),
    ...environmentOf(options),
    options.image,
    ...options.command,
  ]);
  return {
    ...observe(child),
    run: (command) => runContainerCommand('podman', ['exec', name, ...command]),
    stop() {
      // podman passes the signal on to process 1.
      child.kill('SIGTERM');
      return exitOf(child);
    },
  };
}

async function startWithBuildah(options: ContainerOptions): Promise<Container> {
  const container = await buildah(
    'from',
    '--pull-never',
    ...options.hosts.flatMap((host) => ['--add-host', `${host}:127.0.0.1`]),
    options.image,
  );
  const { command: ownCommand } = await readImage(options.image);
  const run = ['run', ...mountsOf(options), ...environmentOf(options), container, '--'];
  const child = startContainerCommand('buildah', [
    ...run,
    ...(options.command.length > 0 ? options.command : ownCommand),
  ]);
  const { exited, output } = observe(child);
  const removed = exited.then(async (code) => {
    await buildah('rm', container);
    return code;
  });
  return {
    exited: removed,
    output,
    run: (command) => runContainerCommand('buildah', [...run, ...command]),
    stop() {
      process.kill(innermost(child.pid ?? 0), 'SIGTERM');
      return removed;
    },
  };
}

function observe(child: ReturnType<typeof startContainerCommand>): Pick<Container, 'exited' | 'output'> {
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return { exited: exitOf(child), output: () => printed };
}

/** The first process of the container: below buildah's own, which has started one process each. */
function innermost(pid: number): number {
  const child = childrenOf(pid).find((each) => findProcess(each)?.commandLine !== '');
  const isNode = findProcess(pid)?.commandLine.startsWith('node ') ?? false;
  return isNode || child === undefined ? pid : innermost(child);
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    // Not `exit`: output may still be on its way.
    await once(child, 'close');
  }
  return child.exitCode;
}

function mountsOf({ files }: ContainerOptions): string[] {
  return Object.entries(files).flatMap(([inside, outside]) => ['--volume', `${outside}:${inside}:ro`]);
}

function environmentOf({ environment }: ContainerOptions): string[] {
  return Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

/** The configuration that an image carries. */
export interface ImageConfig {
  readonly user: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

export async function readImage(image: string): Promise<ImageConfig> {
  const { Docker }: InspectedImage = JSON.parse(await buildah('inspect', '--type', 'image', image));
  const { User: user, Cmd: command, Healthcheck, Labels: labels } = Docker.config;
  // The first word is `CMD`.
  const [, ...healthCheck] = Healthcheck.Test;
  return { user, command, healthCheck, labels };
}

interface InspectedImage {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Cmd: readonly string[];
      readonly Healthcheck: { readonly Test: readonly string[] };
      readonly Labels: Readonly<Record<string, string>>;
    };
  };
}
