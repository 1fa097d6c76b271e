import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A chart with values, and the file with what helm renders of them. */
export interface GoldenFile {
  readonly name: string;
  readonly chart: string;
  readonly flags: readonly string[];
  readonly path: string;
}

const folder = 'deploy/helm';
const golden = join(folder, 'golden');
const manifest = String.raw`manifestFiles.persisted-queries\.json=${join(golden, 'persisted-queries.json')}`;
const supergraph = `supergraphFile=${join(golden, 'supergraph.graphql')}`;

/** Everything that is rendered and kept. */
export const goldenFiles: readonly GoldenFile[] = [
  goldenFile('gateway', 'meridian-gateway', supergraph),
  goldenFile('gateway-all', 'meridian-gateway', supergraph, manifest),
  goldenFile('gateway-router', 'meridian-gateway', supergraph),
  goldenFile('meridian', 'meridian', `gateway.${supergraph}`, `gateway.${manifest}`),
];

/** The two charts, the one that the other depends on first. */
export const charts = ['meridian-gateway', 'meridian'].map((name) => join(folder, name));

function goldenFile(name: string, chart: string, ...files: readonly string[]): GoldenFile {
  return {
    name,
    chart: join(folder, chart),
    flags: [
      '--values',
      join(golden, `${name}.values.yaml`),
      ...files.flatMap((file) => ['--set-file', file]),
    ],
    path: join(golden, `${name}.yaml`),
  };
}

/** A hash of all that is rendered from: golden files name it, so that a change without a rendering shows where helm is missing. */
export function hashOfSources(): string {
  const hash = createHash('sha256');
  const rendered = new Set(goldenFiles.map(({ path }) => path));
  const paths = globSync(`${folder}/**/*`, {
    exclude: ['**/charts/**', '**/Chart.lock'],
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !rendered.has(path))
    .toSorted();
  for (const path of paths) {
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** The first line of a golden file. */
export function headOf(sources: string): string {
  return `# Rendered by helm: pnpm charts. Sources: ${sources}\n`;
}
