import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

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

/** A number of bytes such as `16MiB`, `10mb` or `2000000`. As in Apollo Router, `MB` is a million and `MiB` is 1024². */
export const byteSize: ValueType<number> = {
  read: (value, at) => {
    const bytes =
      typeof value === 'number' || typeof value === 'string' ? parseBytes(String(value)) : undefined;
    if (bytes !== undefined && Number.isSafeInteger(bytes) && bytes > 0) {
      return bytes;
    }
    at.faultOfKind(value, 'a number of bytes such as 16MiB, 10MB or 2000000');
    return invalid;
  },
  schema: orExpansion({
    type: ['string', 'integer'],
    pattern: String.raw`^\d+(\.\d+)?\s*([kKmMgG]?[iI]?[bB]?)$`,
    examples: ['16MiB'],
  }),
};

function parseBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = unitBytes[unit.toLowerCase()];
  return count === undefined || factor === undefined ? undefined : Math.floor(Number(count) * factor);
}
