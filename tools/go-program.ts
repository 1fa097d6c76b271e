import { execFile, execFileSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/** A program that is written in Go. */
export interface GoProgram {
  readonly name: string;
  /** Its module, with the version that is built where the program is not installed. */
  readonly module: string;
  /** The argument that prints its version. */
  readonly versionArgument: string;
}

const binaries = resolve('.data/bin');

/** The environment in which programs of Go are found, installed or built. */
export const goEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [process.env['PATH'], '/usr/local/go/bin', binaries].join(delimiter),
};

/** True where the program is, installed or built before. */
export function hasGoProgram({ name, versionArgument }: GoProgram): boolean {
  return runs(name, versionArgument);
}

/** True where the program is, installed or built now. It is built where there is Go. */
export async function ensureGoProgram(program: GoProgram): Promise<boolean> {
  if (!hasGoProgram(program) && runs('go', 'version')) {
    console.log(`${program.name} is missing: building ${program.module}`);
    await promisify(execFile)('go', ['install', program.module], {
      env: { ...goEnvironment, GOBIN: binaries },
    });
  }
  return hasGoProgram(program);
}

function runs(name: string, versionArgument: string): boolean {
  try {
    execFileSync(name, [versionArgument], { stdio: 'ignore', env: goEnvironment });
    return true;
  } catch {
    return false;
  }
}
