import { describe, expect, it } from '@jest/globals';

import { readRules } from '../../src/rules/rules.ts';
import { stricterRules } from '../../src/rules/stricter-rules.ts';

describe('Rules of which the stricter count', () => {
  it('are loosened where the client without a name, or the operation without one, is ignored', () => {
    const changed = readRules('ignore: { clients: [""], operations: [""] }');
    const { rules, loosened } = stricterRules(readRules(undefined), changed);
    expect(rules.ignore).toMatchObject({ clients: [], operations: [] });
    expect(loosened).toEqual(
      ['clients', 'operations'].map((key) =>
        expect.objectContaining({
          kind: 'RULES_LOOSENED',
          coordinate: `schema-check.yaml ignore.${key}`,
          before: 'nothing',
          after: '',
        }),
      ),
    );
    expect(stricterRules(changed, changed).loosened).toEqual([]);
  });
});
