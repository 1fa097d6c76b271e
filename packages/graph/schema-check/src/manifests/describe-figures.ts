import { alignColumns } from '@meridian/settings/command-line';

import type { LimitedSize, OperationJudgement } from '../plans/figures.ts';
import type { CheckedOperation } from './check-manifest.ts';

/** The figures of each operation under their limits, as a table. */
export function figuresTable(operations: readonly CheckedOperation[]): readonly string[] {
  const judged = operations.flatMap((operation) => {
    const { judgement } = operation;
    return judgement === undefined ? [] : [{ operation, judgement, quantities: quantitiesOf(judgement) }];
  });
  const [first] = judged;
  if (first === undefined) {
    return [];
  }
  return alignColumns([
    ['operation', ...first.quantities.map(({ name }) => name), 'page sizes'],
    ...judged.map(({ operation, judgement, quantities }) =>
      [shownName(operation)].concat(quantities.map(cellOf), pagesText(judgement)),
    ),
  ]);
}

function cellOf({ count, limit }: LimitedSize): string {
  return limit === undefined ? String(count) : `${count} of ${limit}`;
}

/** The highest of each limited figure, and its operation: `cost 90 of 2000 (TopProducts)`. */
export function highestFigures(operations: readonly CheckedOperation[]): readonly string[] {
  const all = operations.flatMap((operation) =>
    operation.judgement === undefined
      ? []
      : quantitiesOf(operation.judgement).map((quantity) => ({ quantity, operation })),
  );
  return Array.from(Map.groupBy(all, ({ quantity }) => quantity.name).values(), (same) =>
    same.reduce((highest, one) => (one.quantity.count > highest.quantity.count ? one : highest)),
  )
    .filter(({ quantity: { limit, count } }) => limit !== undefined && count > 0)
    .map(({ quantity, operation }) => `${quantity.name} ${cellOf(quantity)} (${shownName(operation)})`);
}

/** `cost 90 of 2000, depth 3 of 12` */
export function figuresText(judgement: OperationJudgement): string {
  return quantitiesOf(judgement)
    .filter(({ limit }) => limit !== undefined)
    .map((quantity) => `${quantity.name} ${cellOf(quantity)}`)
    .join(', ');
}

/** The name of an operation, also of one without. */
export function shownName({ name }: Pick<CheckedOperation, 'name'>): string {
  return name === '' ? '(anonymous)' : name;
}

function quantitiesOf({ figures, sizes }: OperationJudgement): readonly LimitedSize[] {
  return [
    ...(figures === undefined ? [] : [{ name: 'cost', count: figures.cost, limit: figures.maxCost }]),
    ...sizes,
  ];
}

function pagesText({ figures }: OperationJudgement): string {
  return (figures?.pageSizes ?? [])
    .map(({ argument, size, max }) => `${argument} ${size ?? 'by the subgraph'} of ${max}`)
    .join(', ');
}
