import { checkInteger, clientError } from '@meridian/subgraph';
import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

export const createMutation = ({ products }: Stores) =>
  ({
    setProductPrice: async (
      _mutation,
      { id, priceMinorUnits }: { id: string; priceMinorUnits: number },
      { caller, signal },
    ) => {
      checkInteger('priceMinorUnits', priceMinorUnits, { min: 0, max: 2 ** 31 - 1 });
      const product = await products.setPrice(caller.tenantId, id, priceMinorUnits, {
        actor: caller,
        signal,
      });
      if (product === undefined) {
        throw clientError('NOT_FOUND', 'There is no such product');
      }
      return product;
    },
  }) satisfies FieldResolvers<unknown, Context>;
