import { bailOut } from '../tape/fast-path-bailout.ts';

/** Numbers the types of objects as they occur, from 1. */
export interface TypeNumbers {
  numberOf(typeName: string): number;
  nameOf(type: number): string;
}

export function createTypeNumbers(): TypeNumbers {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  return {
    numberOf(typeName) {
      const known = numbers.get(typeName);
      if (known !== undefined) {
        return known;
      }
      names.push(typeName);
      numbers.set(typeName, names.length);
      return names.length;
    },
    nameOf: (type) => names[type - 1] ?? bailOut(),
  };
}
