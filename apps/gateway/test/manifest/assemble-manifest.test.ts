import { describe, expect, it } from '@jest/globals';
import type { ListedOperation } from '@meridian/manifest';
import { operationKey } from '@meridian/manifest';

import { assembleManifest } from '../../src/manifest/assemble-manifest.ts';

const time = { id: 'a', name: 'Time', text: 'query Time { time }', clientName: undefined };
const other = { ...time, text: 'query Time { now: time }' };

describe('A manifest', () => {
  it('finds an operation by its identifier, with and without the prefix of a hash', () => {
    const hash = 'e'.repeat(64);
    const { manifest } = assemble([time, { ...time, id: `sha256:${hash}` }]);
    expect(['a', hash, `sha256:${hash}`, 'sha256:a'].map((id) => manifest.find(id, undefined)?.text)).toEqual(
      [time.text, time.text, time.text, undefined],
    );
  });

  it("prefers a client's own operation to the one for all clients", () => {
    const { manifest } = assemble([time, { ...other, clientName: 'web' }]);
    expect([manifest.find('a', 'web')?.text, manifest.find('a', 'ios')?.text]).toEqual([
      other.text,
      time.text,
    ]);
  });

  it('knows the apps of an operation: as a file says, else after the name of the file', () => {
    const app = { name: 'shop', versions: ['1'] };
    const { manifest } = assemble([{ ...time, app }], [time, { ...time, id: 'b' }]);
    expect(manifest.operations.map(({ id, apps }) => [id, apps])).toEqual([
      ['a', ['shop', '1']],
      ['b', ['1']],
    ]);
  });

  it('merges several files', () => {
    const { manifest } = assemble([time], [{ ...time, id: 'b' }]);
    expect(manifest.operations.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('A manifest identifier', () => {
  it('keeps its earlier text, whatever a file says', () => {
    const before = new Map([[operationKey('a', undefined), time.text]]);
    const { manifest, changedTexts } = assembleManifest(
      new Map([['new.json', { text: '', operations: [other] }]]),
      (key) => before.get(key),
    );
    expect(manifest.find('a', undefined)?.text).toBe(time.text);
    expect(changedTexts).toEqual([{ file: 'new.json', id: 'a', operation: 'Time' }]);
  });

  it('means the text of the first file when two files differ', () => {
    const { manifest, changedTexts } = assemble([time], [other]);
    expect(manifest.find('a', undefined)?.text).toBe(time.text);
    expect(changedTexts).toEqual([{ file: '1.json', id: 'a', operation: 'Time' }]);
  });

  it('may be in two files with the same text', () => {
    expect(assemble([time], [time]).changedTexts).toEqual([]);
  });
});

function assemble(...files: (readonly ListedOperation[])[]): ReturnType<typeof assembleManifest> {
  const listed = new Map(files.map((operations, index) => [`${index}.json`, { text: '', operations }]));
  return assembleManifest(listed, () => undefined);
}
