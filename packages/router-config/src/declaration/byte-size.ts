import { orExpansion } from './json-schema.ts';
import { scalar } from './value-type.ts';

const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1000,
  kb: 1000,
  ki: 1024,
  kib: 1024,
  m: 1000 ** 2,
  mb: 1000 ** 2,
  mi: 1024 ** 2,
  mib: 1024 ** 2,
  g: 1000 ** 3,
  gb: 1000 ** 3,
  gi: 1024 ** 3,
  gib: 1024 ** 3,
};

/**
 * A number of bytes such as `16MiB`, `10mb` or `2000000`. As in Apollo Router, `MB` is a million and `MiB` is 1024².
 */
export const byteSize = scalar({
  takes: 'a number of bytes such as 16MiB, 10MB or 2000000',
  read: (value) => {
    const bytes = typeof value === 'number' || typeof value === 'string' ? parseBytes(String(value)) : 0;
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
  },
  schema: orExpansion({
    type: ['string', 'integer'],
    pattern: String.raw`^\d+(\.\d+)?\s*([kKmMgG]?[iI]?[bB]?)$`,
    examples: ['16MiB'],
  }),
});

/** Not a number for another notation or an unknown unit. */
function parseBytes(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = unitBytes[unit.toLowerCase()];
  return count === undefined || factor === undefined ? Number.NaN : Math.floor(Number(count) * factor);
}
