import type { ReactElement } from 'react';
import { Fragment } from 'react';

import { count, figure } from '../../../format-values.ts';
import type { MemberData, TypeData } from '../../graph-data.ts';
import { useModel } from '../model.ts';
import {
  Facts,
  Lines,
  Section,
  Signature,
  SubgraphDot,
  Table,
  TypeLink,
  namedIn,
  useOwnership,
} from '../parts.tsx';

const relations = {
  type: 'Implements',
  interface: 'Implemented by',
  union: 'Members',
  enum: '',
  input: '',
  scalar: '',
} as const;

export function TypeView({ type }: { readonly type: TypeData }): ReactElement {
  const { name, kind, description, places, keys, related, members } = type;
  const { types, subgraphs } = useModel();
  const usedFrom = types.filter((other) =>
    other.members.some(({ type: own = '', args = [] }) =>
      [own, ...args.map((one) => one.type)].some((reference) => namedIn(reference) === name),
    ),
  );
  return (
    <>
      <p className="kind">{kind}</p>
      <h1 tabIndex={-1}>{name}</h1>
      {description !== undefined && <p className="description">{description}</p>}
      <Facts
        rows={[
          ...useOwnership(places),
          [keys.length === 1 ? 'Key' : 'Keys', keys.length > 0 && <Lines of={keys} as="code" />],
          [relations[kind], typeLinks(related)],
          ['Used by', typeLinks(usedFrom.map((other) => other.name))],
        ]}
      />
      {members.length > 0 && (
        <Section title={count(members.length, kind === 'enum' ? 'value' : 'field')}>
          <Table
            heads={[kind === 'enum' ? 'Value' : 'Field', 'In', 'Needs', 'Cost', 'Cache', 'Operations']}
            rows={members.map((member) => [
              <Fragment key="name">
                <Signature of={name} member={member} />
                <Summary member={member} />
              </Fragment>,
              member.places.map(({ subgraph }) => (
                <span key={subgraph} className="in">
                  <SubgraphDot name={subgraphs[subgraph]?.name ?? ''} />
                  {subgraphs[subgraph]?.name}
                </span>
              )),
              member.requires,
              member.cost === undefined ? '' : figure(member.cost),
              member.cache,
              figure(member.operations?.length ?? 0),
            ])}
          />
        </Section>
      )}
    </>
  );
}

function typeLinks(names: readonly string[]): ReactElement[] {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <TypeLink name={name} />
    </Fragment>
  ));
}

/** The first line of a description, or that it is deprecated. */
function Summary({
  member: { description, deprecated },
}: {
  readonly member: MemberData;
}): ReactElement | false {
  const text = deprecated === undefined ? description?.split('\n', 1)[0] : `Deprecated. ${deprecated}`;
  return text !== undefined && <p className="summary">{text}</p>;
}
