import { createRoot } from 'react-dom/client';

import type { GraphData } from '../graph-data.ts';
import { GraphPage } from './graph-page.tsx';
import { Model, createModel } from './model.ts';

const packed = Uint8Array.from(atob(document.querySelector('#data')?.textContent ?? ''), (character) =>
  character.charCodeAt(0),
);
const json = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and data are of one file
const data = (await json.json()) as GraphData;

createRoot(document.body).render(
  <Model value={createModel(data)}>
    <GraphPage />
  </Model>,
);
