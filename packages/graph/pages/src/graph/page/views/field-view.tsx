import type { ReactElement } from 'react';

import { count } from '../../../format-values.ts';
import type { ArgumentData } from '../../graph-data.ts';
import type { Member } from '../model.ts';
import { useModel } from '../model.ts';
import {
  Facts,
  Lines,
  OperationsTable,
  Section,
  Signature,
  Table,
  TypeLink,
  TypeReference,
  useOwnership,
} from '../parts.tsx';
import { Clients } from '../usage.tsx';

export function FieldView({ type, member }: Member): ReactElement {
  const { name, args = [], description, deprecated, places, cost, cache, requires, notes = [] } = member;
  const { operations: all, usage } = useModel();
  const operations = (member.operations ?? []).flatMap((index) => all[index] ?? []);
  return (
    <>
      <p className="kind">
        {type.kind === 'enum' ? 'value of ' : 'field of '}
        <TypeLink name={type.name} />
      </p>
      <h1 tabIndex={-1}>
        {type.name}.{name}
      </h1>
      {member.type !== undefined && (
        <p>
          <Signature member={member} />
        </p>
      )}
      {deprecated !== undefined && (
        <p className="deprecated">
          <strong>Deprecated</strong> {deprecated}
        </p>
      )}
      {description !== undefined && <p className="description">{description}</p>}
      <Facts
        rows={[
          ...useOwnership(places),
          ['Needs', requires],
          ['Cost', cost],
          ['Cache hint', cache],
          ['Federation', notes.length > 0 && <Lines of={notes} as="code" />],
        ]}
      />
      {args.some((one) => one.description !== undefined || one.deprecated !== undefined) && (
        <Section title="Arguments">
          <Table heads={['Argument', 'Type', 'Description']} rows={args.map(argumentRow)} />
        </Section>
      )}
      {operations.length === 0 ? (
        <Section title="Use">
          <p className="quiet">
            No operation of the manifests or of recorded usage uses it ({usage.reason}).
          </p>
        </Section>
      ) : (
        <>
          <Clients operations={operations} />
          <Section title={count(operations.length, 'operation')}>
            <OperationsTable operations={operations} />
          </Section>
        </>
      )}
    </>
  );
}

function argumentRow({ name, type, fallback, description, deprecated }: ArgumentData): ReactElement[] {
  return [
    <code key="name">{name}</code>,
    <code key="type">
      <TypeReference text={type} />
      {fallback !== undefined && ` = ${fallback}`}
    </code>,
    <span key="description">
      {deprecated !== undefined && `Deprecated. ${deprecated} `}
      {description}
    </span>,
  ];
}
