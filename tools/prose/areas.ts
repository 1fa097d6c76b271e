import type { ProseFault } from './prose-faults.ts';

/** How many phrases of an app, a package or another folder are still to be rewritten. */
export type Remaining = Readonly<Record<string, number>>;

/** The faults of the areas that have more of them than `remaining` says. */
export function newFaults(faults: readonly ProseFault[], remaining: Remaining): ProseFault[] {
  const counts = countByArea(faults);
  return faults.filter(({ path }) => (counts[areaOf(path)] ?? 0) > (remaining[areaOf(path)] ?? 0));
}

/** Counts that never rise: the smaller of what is there and what `remaining` says. */
export function lower(faults: readonly ProseFault[], remaining: Remaining): Remaining {
  const counts = Object.entries(countByArea(faults)).map(
    ([area, count]) => [area, Math.min(count, remaining[area] ?? 0)] as const,
  );
  return Object.fromEntries(
    counts.filter(([, count]) => count > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function countByArea(faults: readonly ProseFault[]): Remaining {
  const counts: Record<string, number> = {};
  for (const { path } of faults) {
    counts[areaOf(path)] = (counts[areaOf(path)] ?? 0) + 1;
  }
  return counts;
}

/** `apps/gateway` for a file of an app or a package; else the first folder, or `.` for a file of the root. */
function areaOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const depth = folders[0] === 'apps' || folders[0] === 'packages' ? 2 : 1;
  return folders.slice(0, depth).join('/') || '.';
}
