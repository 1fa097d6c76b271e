import { describe, expect, it } from '@jest/globals';

import { publishedBom } from '../../release/published-bom.ts';
import { releaseConfig } from '../../release/release-config.ts';

const component = (purl: string, name: string, group?: string) => ({
  ...(group === undefined ? {} : { group }),
  name,
  purl,
  'bom-ref': purl,
});
const subgraph = 'pkg:npm/%40meridian/subgraph@1.0.0';
const http = 'pkg:npm/%40meridian/http@1.0.0';
const etag = 'pkg:npm/%40meridian/etag@1.0.0';
const express = 'pkg:npm/express@5.0.0';
const bom = {
  metadata: { component: component(subgraph, 'subgraph', '@meridian') },
  components: [
    component(http, 'http', '@meridian'),
    component(etag, 'etag', '@meridian'),
    component(express, 'express'),
  ],
  dependencies: [
    { ref: subgraph, dependsOn: [http] },
    { ref: http, dependsOn: [etag, express] },
    { ref: etag },
    { ref: express },
  ],
};
const published = (name: string): string =>
  `pkg:npm/${releaseConfig.names[`@meridian/${name}`]?.replace('@', '%40')}@1.0.0`;

describe('The SBOM of a published package', () => {
  it('has the names on npm, and no package of the workspace that is not there', () => {
    const { metadata, components, dependencies } = publishedBom(bom, []);
    expect(metadata.component.purl).toBe(published('subgraph'));
    expect(components.map(({ purl }) => purl)).toEqual([published('etag'), express]);
    expect(dependencies).toEqual([
      { ref: published('subgraph'), dependsOn: [published('etag'), express] },
      { ref: published('etag'), dependsOn: [] },
      { ref: express, dependsOn: [] },
    ]);
  });

  it('has only the packages that are inside, where there are any', () => {
    const { components, dependencies } = publishedBom(bom, [{ name: 'express', version: '5.0.0' }]);
    expect(components.map(({ purl }) => purl)).toEqual([express]);
    expect(dependencies).toEqual([
      { ref: published('subgraph'), dependsOn: [express] },
      { ref: express, dependsOn: [] },
    ]);
  });
});
