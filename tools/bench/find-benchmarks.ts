import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `pnpm bench` can run. */
export interface Benchmark {
  readonly name: string;
  /** Of its package. */
  readonly description: string;
  readonly script: string;
}

const root = join(import.meta.dirname, '../..');

/** Finds the benchmarks: each package `<name>-bench` is one, and starts with its `src/main.ts`. */
export function findBenchmarks(): readonly Benchmark[] {
  return globSync('packages/*-bench/src/main.ts', { cwd: root })
    .toSorted()
    .map((path) => {
      const home = dirname(dirname(path));
      const { description }: { description: string } = JSON.parse(
        readFileSync(join(root, home, 'package.json'), 'utf8'),
      );
      return {
        name: home.slice('packages/'.length, -'-bench'.length),
        description,
        script: join(root, path),
      };
    });
}
