import process from 'node:process';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The end of a command. */
export interface CommandEnding {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CallOptions {
  /** Default: as this process. */
  readonly cwd?: string;
  /** Default: as this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

let calls = 0;
let lastCall: Promise<unknown> = Promise.resolve();

/**
 * Calls a command in this process, after the calls before it: a process of its own takes a second of CPU time to load.
 * The command ends when its module has run, and ends no process.
 *
 * @throws {unknown} an error that the command does not catch
 */
export async function callCommand(
  program: URL,
  args: readonly string[],
  options: CallOptions = {},
): Promise<CommandEnding> {
  const call = lastCall.then(() => runCommand(program, args, options));
  lastCall = call.catch(() => {});
  return await call;
}

async function runCommand(
  program: URL,
  args: readonly string[],
  { cwd = process.cwd(), env = { ...process.env } }: CallOptions,
): Promise<CommandEnding> {
  const before = { argv: process.argv, cwd: process.cwd(), env: { ...process.env } };
  const stdout = replaceOutput('stdout');
  const stderr = replaceOutput('stderr');
  try {
    process.argv = [process.execPath, fileURLToPath(program), ...args];
    process.chdir(cwd);
    setEnvironment(env);
    process.exitCode = 0;
    calls += 1;
    await import(`${program.href}?call=${calls}`);
    return { code: process.exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.restore();
    stderr.restore();
    process.argv = before.argv;
    process.chdir(before.cwd);
    setEnvironment(before.env);
    process.exitCode = undefined;
  }
}

function replaceOutput(name: 'stdout' | 'stderr') {
  const own = process[name];
  let text = '';
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const replace = (value: Writable): void =>
    void Object.defineProperty(process, name, { value, writable: true });
  replace(output);
  return { text: () => text, restore: () => replace(own) };
}

function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys({ ...process.env, ...env })) {
    if (env[name] === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = env[name];
    }
  }
}
