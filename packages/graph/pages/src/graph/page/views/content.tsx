import type { ReactElement } from 'react';

import { partsOf, useModel } from '../model.ts';
import { FieldView } from './field-view.tsx';
import { OperationView } from './operation-view.tsx';
import { Overview } from './overview.tsx';
import { SubgraphView } from './subgraph-view.tsx';
import { TypeView } from './type-view.tsx';

/** The view at an address; the overview at one that is none. */
export function Content({ address }: { readonly address: string }): ReactElement {
  const { typeByName, subgraphs, operations } = useModel();
  const [kind = '', name = '', field = ''] = partsOf(address);
  const type = typeByName.get(name);
  switch (kind) {
    case 'type':
      return type === undefined ? <Unknown name={name} /> : <TypeView type={type} />;
    case 'field': {
      const member = type?.members.find((candidate) => candidate.name === field);
      return type === undefined || member === undefined ? (
        <Unknown name={`${name}.${field}`} />
      ) : (
        <FieldView type={type} member={member} />
      );
    }
    case 'operation': {
      const operation = operations.find(({ key }) => key === name);
      return operation === undefined ? (
        <Unknown name="This operation" />
      ) : (
        <OperationView operation={operation} />
      );
    }
    case 'subgraph': {
      const subgraph = subgraphs.find((candidate) => candidate.name === name);
      return subgraph === undefined ? <Unknown name={name} /> : <SubgraphView subgraph={subgraph} />;
    }
    default:
      return <Overview />;
  }
}

function Unknown({ name }: { readonly name: string }): ReactElement {
  return (
    <>
      <h1 tabIndex={-1}>{name}</h1>
      <p>The graph has nothing of this name.</p>
    </>
  );
}
