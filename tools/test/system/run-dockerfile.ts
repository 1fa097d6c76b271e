import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The content of an image: its files, and the command of its container. */
export interface Image {
  /** The working directory of the last stage, as a folder of this machine. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

export interface RunDockerfileOptions {
  /** The folder that is built from. */
  readonly context: string;
  /** Relative to the context; its patterns are in `<dockerfile>.dockerignore`. */
  readonly dockerfile: string;
  readonly buildArguments: Readonly<Record<string, string>>;
  /** An empty folder. */
  readonly workspace: string;
}

interface Stage {
  readonly root: string;
  directory: string;
  readonly environment: Record<string, string>;
  command: readonly string[];
}

/**
 * Runs the steps of a Dockerfile without Docker: each stage is a folder instead of a file system, and what runs is this
 * machine's. It knows the instructions that docker/Dockerfile has, and rejects at any other. Programs that a step
 * installs have to be here.
 */
export async function runDockerfile(options: RunDockerfileOptions): Promise<Image> {
  const { context, dockerfile, workspace } = options;
  const path = join(context, dockerfile);
  const isIgnored = ignoredBy(await readFile(`${path}.dockerignore`, 'utf8'));
  const variables: Record<string, string> = {};
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;

  const current = (): Stage => {
    if (stage === undefined) {
      throw new Error(`${dockerfile}: there is no FROM before this step`);
    }
    return stage;
  };
  const steps: Readonly<Record<string, (args: string) => Promise<void> | void>> = {
    ARG(args) {
      const [name = '', fallback = ''] = args.split('=');
      variables[name] = options.buildArguments[name] ?? fallback;
    },
    async FROM(args) {
      const { base = '', name = `stage ${stages.size}` } =
        /^(?<base>\S+)(?: AS (?<name>\S+))?$/u.exec(args)?.groups ?? {};
      const root = join(workspace, name);
      const before = stages.get(base);
      await (before === undefined ? mkdir(root) : cp(before.root, root, { recursive: true }));
      const directory = before === undefined ? root : join(root, relative(before.root, before.directory));
      stage = { root, directory, environment: { ...before?.environment }, command: before?.command ?? [] };
      stages.set(name, stage);
    },
    async WORKDIR(args) {
      current().directory = resolve(current().root, `.${args}`);
      await mkdir(current().directory, { recursive: true });
    },
    async COPY(args) {
      const {
        from,
        source = '',
        target = '',
      } = /^(?:--from=(?<from>\S+) )?(?<source>\S+) (?<target>\S+)$/u.exec(args)?.groups ?? {};
      const destination = resolve(current().directory, target);
      if (from === undefined) {
        const filter = (file: string): boolean => !isIgnored(relative(context, file));
        await cp(join(context, source), destination, { recursive: true, filter });
      } else {
        const origin = join(stages.get(from)?.root ?? '', source);
        const isDirectory = (await stat(origin)).isDirectory();
        // Links instead of copies: nothing changes the stage that they are from.
        await run('cp', ['--archive', '--link', isDirectory ? `${origin}/.` : origin, destination]);
      }
    },
    async RUN(args) {
      const command = args.replace(/^(?:--mount=\S+ +)+/u, '');
      if (!command.startsWith('npm install --global ')) {
        await run('sh', ['-c', command], {
          cwd: current().directory,
          env: { ...process.env, ...variables },
        });
      }
    },
    ENV(args) {
      for (const [, name = '', value = ''] of args.matchAll(/(\w+)=(\S*)/gu)) {
        current().environment[name] = value;
      }
    },
    CMD(args) {
      const command: readonly string[] = JSON.parse(args);
      current().command = command;
    },
    USER: () => undefined,
    HEALTHCHECK: () => undefined,
    LABEL: () => undefined,
  };

  for (const { name, args } of instructionsOf(await readFile(path, 'utf8'))) {
    const step = steps[name];
    if (step === undefined) {
      throw new Error(`${dockerfile}: nothing here runs ${name}`);
    }
    // In RUN and CMD the shell expands variables.
    await step(name === 'RUN' || name === 'CMD' ? args : expand(args, variables));
  }
  const { directory, environment, command } = current();
  return { directory, environment, command };
}

function instructionsOf(text: string): { readonly name: string; readonly args: string }[] {
  return text
    .replaceAll(/^\s*#.*\n/gmu, '')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...args] = line.split(' ');
      return { name, args: args.join(' ') };
    });
}

function expand(args: string, variables: Readonly<Record<string, string>>): string {
  return args.replaceAll(/\$\{(\w+)\}/gu, (_, name: string) => variables[name] ?? '');
}

function ignoredBy(patterns: string): (path: string) => boolean {
  const globs = patterns.split('\n').filter((line) => line !== '');
  return (path) => globs.some((glob) => matchesGlob(path, glob));
}
