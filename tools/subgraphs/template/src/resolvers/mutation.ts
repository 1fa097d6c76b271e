import type { Changes } from '@meridian/events';
// <entity>
import { checkIdentifier } from '@meridian/subgraph';
// </entity>
import { checkText, createIdentifier } from '@meridian/subgraph';
import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { SparePart } from '../spare-parts/spare-part.ts';
import type { Stores } from '../store/stores.ts';

export const createMutation = ({ spareParts }: Stores, changes: Pick<Changes, 'tell'>) =>
  ({
    addSparePart: async (_mutation, added: Omit<SparePart, 'id'>, { caller, signal }) => {
      checkText('name', added.name, { maxLength: 200 });
      // <entity>
      checkIdentifier('productId', added.productId);
      // </entity>
      const sparePart = { id: createIdentifier(), ...added };
      await spareParts.insertMany(caller.tenantId, [sparePart], { actor: caller, signal });
      // Subscribers hear of it at once, otherwise within two seconds.
      changes.tell(caller.tenantId);
      return sparePart;
    },
  }) satisfies FieldResolvers<unknown, Context>;
