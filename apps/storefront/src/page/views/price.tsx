import type { ReactElement } from 'react';

const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** An amount of money. */
export function Price({ minorUnits }: { readonly minorUnits: number }): ReactElement {
  return <strong>{format.format(minorUnits / 100)}</strong>;
}
