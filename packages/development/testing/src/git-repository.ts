import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A git repository in a temporary folder. */
export type GitRepository = Readonly<ReturnType<typeof createGitRepository>>;

interface CommitOptions {
  /** A day (`2026-01-31`), or how many days ago. */
  readonly at: string | number;
  readonly author?: string;
  readonly message?: string;
}

/** Creates a repository with the branch `main` and no commit. */
export function createGitRepository() {
  const root = mkdtempSync(join(tmpdir(), 'repository-'));
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
    execFileSync('git', args, { cwd: root, stdio: 'ignore', env: { ...process.env, TZ: 'UTC', ...env } });
  };
  run(['init', '--quiet', '--initial-branch=main']);
  run(['config', 'user.name', 'Test']);
  run(['config', 'user.email', 'test@example.com']);
  run(['config', 'commit.gpgsign', 'false']);
  return {
    root,
    write: (path: string, text: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    /** Runs git in it. */
    git: (...args: readonly string[]): void => run(args),
    /** Commits all files on a day in the past. */
    commit({ at, author = 'Test', message = 'x' }: CommitOptions): void {
      const date =
        typeof at === 'string'
          ? `${at}T12:00:00Z`
          : new Date(Date.now() - at * 24 * 60 * 60 * 1000).toISOString();
      run(['add', '--all']);
      run(['-c', `user.name=${author}`, 'commit', '--quiet', '--allow-empty', '--message', message], {
        GIT_COMMITTER_DATE: date,
        GIT_AUTHOR_DATE: date,
      });
    },
    remove: (): void => rmSync(root, { recursive: true }),
  };
}
