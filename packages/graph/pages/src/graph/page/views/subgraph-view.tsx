import type { ReactElement } from 'react';

import { figure } from '../../../format-values.ts';
import type { PlaceData, SubgraphData } from '../../graph-data.ts';
import { useModel } from '../model.ts';
import { Facts, Section, SubgraphDot, Table, TypeLink } from '../parts.tsx';

export function SubgraphView({ subgraph }: { readonly subgraph: SubgraphData }): ReactElement {
  const { subgraphs, types } = useModel();
  const { name, url, file, owners } = subgraph;
  const index = subgraphs.indexOf(subgraph);
  return (
    <>
      <p className="kind">subgraph</p>
      <h1 tabIndex={-1}>
        <SubgraphDot name={name} />
        {name}
      </h1>
      <Facts
        rows={[
          ['Owner', owners.join(', ') || 'nobody in CODEOWNERS'],
          ['Schema', file !== undefined && <code className="place">{file}</code>],
          ['Address', <code className="place">{url}</code>],
        ]}
      />
      <Section title="Types">
        <Table
          heads={['Type', 'Kind', 'Fields here', 'Shared with']}
          rows={types.filter(isIn(index)).map((type) => [
            <TypeLink key="name" name={type.name} />,
            type.kind,
            figure(type.members.filter(isIn(index)).length),
            type.places
              .filter((place) => place.subgraph !== index)
              .map((place) => subgraphs[place.subgraph]?.name ?? '')
              .join(', '),
          ])}
        />
      </Section>
    </>
  );
}

/** Finds the elements that a subgraph defines. */
export function isIn(subgraph: number): (element: { readonly places: readonly PlaceData[] }) => boolean {
  return ({ places }) => places.some((place) => place.subgraph === subgraph);
}
