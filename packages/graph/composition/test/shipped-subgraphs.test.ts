import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { apiSchemaOf, composeSupergraph } from '@meridian/composition';
import { describe, expect, it } from '@jest/globals';
import { isObjectType } from 'graphql';

import { readSupergraphConfig } from '../src/supergraph-config.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { schemaFiles } = readSupergraphConfig(`${root}supergraph.yaml`);

describe('The subgraphs of supergraph.yaml', () => {
  const { supergraphSdl = '', hints } = composeSupergraph(
    [...schemaFiles].map(([name, file]) => ({
      name,
      routingUrl: `http://${name}.test/graphql`,
      sdl: readFileSync(file, 'utf8'),
    })),
  );
  const fieldsOf = (type: string) => {
    const found = apiSchemaOf(supergraphSdl).getType(type);
    return isObjectType(found) ? found.getFields() : {};
  };

  it('compose without a hint', () => {
    expect(hints).toEqual([]);
  });

  it('hide @inaccessible elements from clients, and keep them for the subgraph that @requires them', () => {
    expect(fieldsOf('Product')).not.toHaveProperty('weightGrams');
    expect(fieldsOf('Product')).toHaveProperty('shippingEstimateMinorUnits');
    expect(supergraphSdl).toContain('requires: "weightGrams"');
  });

  it('show clients what is @deprecated, with the reason', () => {
    expect(fieldsOf('Order')).toMatchObject({
      cancellationReason: { deprecationReason: 'Use `cancellation { reason }`.' },
    });
  });
});
