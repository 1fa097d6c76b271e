import type { ReactElement } from 'react';

import { formatMoney } from './format-money.ts';

/** An amount of money. */
export function Price({ minorUnits }: { readonly minorUnits: number }): ReactElement {
  return <strong>{formatMoney(BigInt(minorUnits))}</strong>;
}
