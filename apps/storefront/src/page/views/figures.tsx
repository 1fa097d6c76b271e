import type { ReactElement } from 'react';

import { formatMoney } from './format-money.ts';

/** An amount of money. */
export function Price({ minorUnits }: { readonly minorUnits: number }): ReactElement {
  return <strong>{formatMoney(BigInt(minorUnits))}</strong>;
}

/** Stars out of five; nothing without ratings. */
export function Rating({ value }: { readonly value: number | null }): ReactElement | null {
  return value === null ? null : (
    <span className="rating" title={`${value.toFixed(1)} of 5`}>
      {'★'.repeat(Math.round(value)).padEnd(5, '☆')}
    </span>
  );
}
