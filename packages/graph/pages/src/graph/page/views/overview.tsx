import type { ReactElement } from 'react';

import { count, figure } from '../../../format-values.ts';
import { useModel } from '../model.ts';
import { FieldLink, OperationsTable, Section, SubgraphLink, Table } from '../parts.tsx';
import { Clients } from '../usage.tsx';
import { isIn } from './subgraph-view.tsx';

/** As many operations and deprecated elements as the overview lists; the search has all. */
const maxRows = 50;

export function Overview(): ReactElement {
  const { subgraphs, types, operations, usage } = useModel();
  const members = types.flatMap((type) => type.members);
  const deprecated = types.flatMap(({ name: type, members: ofType }) =>
    ofType.filter((member) => member.deprecated !== undefined).map((member) => ({ type, member })),
  );
  const records = usage.reason === 'no usage is at hand' ? '' : ` and from records: ${usage.reason}`;
  return (
    <>
      <h1 tabIndex={-1}>The graph</h1>
      <p className="quiet">
        {count(types.length, 'type')} and {count(members.length, 'field')} of{' '}
        {count(subgraphs.length, 'subgraph')}; {count(operations.length, 'operation')}. Use is known from the
        manifests{records}.
      </p>
      <Section title="Subgraphs">
        <Table
          heads={['Subgraph', 'Owner', 'Schema', 'Types', 'Fields']}
          rows={subgraphs.map(({ name, owners, file, url }, index) => [
            <SubgraphLink key="name" name={name} />,
            owners.join(', ') || '–',
            <code key="schema" className="place">
              {file ?? url}
            </code>,
            figure(types.filter(isIn(index)).length),
            figure(members.filter(isIn(index)).length),
          ])}
        />
      </Section>
      {operations.length > 0 && (
        <>
          <Clients operations={operations} />
          <Section title="Operations">
            <OperationsTable operations={operations.slice(0, maxRows)} />
            <More than={operations.length} />
          </Section>
        </>
      )}
      {deprecated.length > 0 && (
        <Section title="Deprecated">
          <Table
            heads={['Element', 'Reason', 'Operations']}
            rows={deprecated
              .slice(0, maxRows)
              .map(({ type, member }) => [
                <FieldLink key="name" type={type} name={member.name} />,
                member.deprecated,
                figure(member.operations?.length ?? 0),
              ])}
          />
          <More than={deprecated.length} />
        </Section>
      )}
    </>
  );
}

function More({ than }: { readonly than: number }): ReactElement | false {
  return (
    than > maxRows && <p className="quiet">And {figure(than - maxRows)} more, which the search finds.</p>
  );
}
