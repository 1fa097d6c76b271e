import type { AttackedProcess, LegalRequest } from './attacked-process.ts';
import { attackOpen, attackShipped } from './attacked-process.ts';
import type { Measured, Row } from './measure-attacks.ts';
import {
  attacksOn,
  maxStallMs,
  measure,
  measureAll,
  measureHonest,
  mostExpensive,
} from './measure-attacks.ts';

const effort = { requests: 10, stalls: 20 };
/**
 * The number of measurements of an attack that costs too much. The lowest one counts, because other programs may be
 * busy.
 */
const tries = 4;

const starts = { empty: attackOpen, shipped: attackShipped };

/** The name of a configuration, from a command line. */
export const configurationType = {
  takes: 'empty or shipped',
  parse: (text: string): keyof typeof starts | undefined =>
    text === 'empty' || text === 'shipped' ? text : undefined,
};

/** A part of the attacks, from a command line: `2/4` is the second quarter. */
export const partType = {
  takes: 'a part such as 2/4',
  parse(text: string): Part | undefined {
    const [number, of] = text.split('/').map(Number);
    return number !== undefined && of !== undefined && number >= 1 && number <= of && of <= 1000
      ? { number, of }
      : undefined;
  },
};

interface Part {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** The attacks to measure. */
export interface Selection {
  /** Undefined: with each configuration. */
  readonly configuration: keyof typeof starts | undefined;
  readonly part: Part;
  /** A text in the names of the attacks. */
  readonly only: string;
}

/** Prints what each attack costs. Resolves to true when none costs more than the legal request, or stalls the gateway. */
export async function reportAttacks({ configuration, ...selection }: Selection): Promise<boolean> {
  const areHeld: boolean[] = [];
  for (const start of configuration === undefined ? Object.values(starts) : [starts[configuration]]) {
    areHeld.push(await reportOn(start, selection));
  }
  return areHeld.every(Boolean);
}

/** Resolves to true when no attack costs too much. */
async function reportOn(
  start: () => Promise<AttackedProcess>,
  { part, only }: Omit<Selection, 'configuration'>,
): Promise<boolean> {
  const isSelected = ({ name }: LegalRequest, index: number): boolean =>
    name.includes(only) && index % part.of === part.number - 1;
  const target = await start();
  try {
    const legal = await measureAll(target, target.legal, effort);
    const rows: Judged[] = [];
    for (const attack of attacksOn(target).filter(isSelected)) {
      const row = await judge(target, attack, mostExpensive(legal));
      process.stderr.write(`${row.name}: ${row.cpuMs.toFixed(1)} ms\n`);
      rows.push(row);
    }
    const freaks = await measureAll(target, target.freaks.filter(isSelected), effort);
    return print(target.name, { legal, rows, freaks });
  } finally {
    await target.close();
  }
}

/** An attack, and the legal request or honest response that it is compared with. */
interface Judged extends Row {
  readonly legalMs: number;
  readonly legalStallMs: number;
}

async function judge(target: AttackedProcess, attack: Measured, legalMs: number): Promise<Judged> {
  let row = await measure(target, attack, effort);
  const allowed = await allowedFor(target, attack, row, legalMs);
  for (let index = 1; index < tries && row.cpuMs > allowed.legalMs; index += 1) {
    const again = await measure(target, attack, effort);
    row = again.cpuMs < row.cpuMs ? { ...again, stallMs: Math.min(row.stallMs, again.stallMs) } : row;
  }
  return { ...row, ...allowed };
}

/** An attack may cost as much as the legal request, and a lying subgraph's response as much as an honest one. */
async function allowedFor(
  target: AttackedProcess,
  { responseBytes }: Measured,
  { cpuMs, stallMs }: Row,
  legalMs: number,
): Promise<Omit<Judged, keyof Row>> {
  if (responseBytes === undefined || (cpuMs <= legalMs && stallMs <= maxStallMs)) {
    return { legalMs, legalStallMs: maxStallMs };
  }
  const honest = await measureHonest(target, responseBytes, effort);
  return {
    legalMs: Math.max(legalMs, honest.cpuMs),
    legalStallMs: Math.max(maxStallMs, honest.stallMs),
  };
}

interface Measurements {
  readonly legal: readonly Row[];
  readonly rows: readonly Judged[];
  /** They are printed, and not judged. */
  readonly freaks: readonly Row[];
}

function print(name: string, { legal, rows, freaks }: Measurements): boolean {
  const line = ({ name: request, response, cpuMs, stallMs, legalMs }: Omit<Judged, 'legalStallMs'>): string =>
    [
      cpuMs.toFixed(1).padStart(8),
      `${(cpuMs / legalMs).toFixed(2)} ×`.padStart(8),
      stallMs.toFixed(0).padStart(7),
      response.padEnd(38),
      request,
    ].join('  ');
  const legalMs = mostExpensive(legal);
  const inOrder = (some: readonly Omit<Judged, 'legalStallMs'>[]): readonly string[] =>
    some.toSorted((one, other) => other.cpuMs - one.cpuMs).map(line);
  const moreExpensive = rows.filter((row) => row.cpuMs > row.legalMs);
  const stalling = rows.filter(({ stallMs, legalStallMs }) => stallMs > legalStallMs);
  process.stdout.write(
    [
      `With ${name}: CPU of the gateway for one request, and the longest stall of its event loop`,
      '',
      '  CPU ms  of legal  stall ms  answer                                request',
      'Legal:',
      ...inOrder(legal.map((row) => ({ ...row, legalMs }))),
      'Attacks:',
      ...inOrder(rows),
      ...(freaks.length > 0 ? ['Allowed and answered, though no client sends it:'] : []),
      ...inOrder(freaks.map((row) => ({ ...row, legalMs }))),
      '',
      `${moreExpensive.length} of ${rows.length} cost more than the most expensive legal request; ${stalling.length} stall the event loop for more than ${maxStallMs} ms, or than an honest response of as many bytes.`,
      '',
      '',
    ].join('\n'),
  );
  return moreExpensive.length === 0 && stalling.length === 0;
}
