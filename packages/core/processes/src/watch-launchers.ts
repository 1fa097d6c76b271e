import { basename } from 'node:path';
import process from 'node:process';

import { findProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/**
 * The interval between checks of the launchers: a check reads a few small files, or runs `ps` on systems other than
 * Linux.
 */
const lookEveryMs = process.platform === 'linux' ? 500 : 3000;

/**
 * Calls back when a program that launched this one has ended, such as npx, which does not pass on a signal that only it
 * receives. Without that, this process would be left on its ports, and no terminal where Ctrl-C could stop it. Does
 * nothing for a process that no package manager launched: it may be meant to outlive its shell.
 */
export function watchLaunchers(onGone: () => void): void {
  const links = launcherLinks(process.pid);
  if (links.length === 0) {
    return;
  }
  const look = setInterval(() => {
    if (links.some(({ pid, parentPid }) => findProcess(pid)?.parentPid !== parentPid)) {
      clearInterval(look);
      onGone();
    }
  }, lookEveryMs);
  look.unref();
}

const packageManager = /^(?:npm|npx|pnpm|pnpx|yarn|corepack)(?:-cli)?(?:\.[cm]?js)?$/u;
const shell = /^(?:\S*\/)?(?:ba|da|z|k)?sh(?:\s|$)/u;

/**
 * This process and its ancestors, up to the one that the outermost package manager started, each with its parent. A
 * process gets another parent when its own has ended. Between package managers are shells; the user's own shell is
 * above them all.
 */
function launcherLinks(pid: number): ProcessEntry[] {
  const links: ProcessEntry[] = [];
  let length = 0;
  let entry = findProcess(pid);
  while (entry !== undefined) {
    links.push(entry);
    const parent = findProcess(entry.parentPid);
    if (parent !== undefined && packageManager.test(programOf(parent.commandLine))) {
      length = links.length;
    } else if (parent === undefined || !shell.test(parent.commandLine)) {
      break;
    }
    entry = parent;
  }
  return links.slice(0, length);
}

/** The name of the program that a command line runs: of the script, where Node runs one. */
function programOf(commandLine: string): string {
  const [program = '', script = ''] = commandLine.split(/\s/u, 2);
  const name = basename(program);
  return name.startsWith('node') ? basename(script) : name;
}
