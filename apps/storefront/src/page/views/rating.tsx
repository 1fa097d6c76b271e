import type { ReactElement } from 'react';

/** Stars out of five; nothing without ratings. */
export function Rating({ value }: { readonly value: number | null }): ReactElement | null {
  return value === null ? null : (
    <span className="rating" title={`${value.toFixed(1)} of 5`}>
      {'★'.repeat(Math.round(value)).padEnd(5, '☆')}
    </span>
  );
}
