import { describe, expect, it } from '@jest/globals';

import { failedReport } from '../../src/report/faults.ts';
import { formats, renderReport } from '../../src/report/render-report.ts';
import type { CheckReport } from '../../src/report/report.ts';
import { checkEdits, replacing } from '../support/shipped-graph.ts';

const planted = '\n::error::planted\u001b[31m\r### planted\u009b\u2028::warning::planted';

describe('A report', () => {
  it.each(formats)(
    'in the format %s has no line and no escape that a text of others begins',
    async (format) => {
      const report = await checkEdits({ products: replacing('name: String!', 'name: String') });
      const { plans, verdict, format: name, ...texts } = report;
      const { faults } = failedReport(new Error('It fails\nin two lines'), {
        base: '',
        head: '',
        ownersOf: () => [],
      });
      const hostile: CheckReport = { ...withPlanted({ ...texts, faults }), plans, verdict, format: name };
      const printed = renderReport(hostile, format);
      expect(printed).toContain('planted');
      const lines = printed.split('\n');
      expect(lines.filter((line) => /^(?:::(?:error|warning)::planted|### planted)/u.test(line))).toEqual([]);
      for (const control of ['\u001b[31m', '\r', '\u009b', '\u2028']) {
        expect(printed).not.toContain(control);
      }
    },
  );
});

/** Adds the planted text to each text of a value that no program compares. */
function withPlanted<Value>(value: Value, key = ''): Value {
  const compared = ['kind', 'level', 'verdict', 'order', 'against', 'state', 'impact', 'file'];
  if (typeof value === 'string') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a text stays one
    return (compared.includes(key) ? value : `${value}${planted}`) as Value;
  }
  if (Array.isArray(value)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list stays one
    return value.map((item: unknown) => withPlanted(item, key)) as Value;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, member]) => [name, withPlanted<unknown>(member, name)]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the same members
    return Object.fromEntries(entries) as Value;
  }
  return value;
}
