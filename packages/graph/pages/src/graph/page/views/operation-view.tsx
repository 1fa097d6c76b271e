import type { ReactElement } from 'react';

import { count, figure } from '../../../format-values.ts';
import { Plan } from '../../../plan/plan.tsx';
import type { OperationData } from '../../graph-data.ts';
import { useModel } from '../model.ts';
import { Facts, FieldLink, Lines, Section, clientsOf, nameOf, roundsOf } from '../parts.tsx';
import { Clients } from '../usage.tsx';

export function OperationView({ operation }: { readonly operation: OperationData }): ReactElement {
  const { kind, text, identifiers, cost, maxCost, cache, requires, plan, movedPlan } = operation;
  const used = useModel().usedBy(operation);
  return (
    <>
      <p className="kind">{kind}</p>
      <h1 tabIndex={-1}>{nameOf(operation)}</h1>
      <Facts
        rows={[
          ['Clients', clientsOf(operation)],
          [
            'Cost',
            cost !== undefined && (
              <>
                {figure(cost)}
                {maxCost !== undefined && <span className="quiet"> of {figure(maxCost)}</span>}
              </>
            ),
          ],
          ['Cache', cache ?? 'not cacheable'],
          ['Needs', requires.length > 0 && <Lines of={requires} />],
          [
            identifiers.length === 1 ? 'Identifier' : 'Identifiers',
            identifiers.length > 0 && <Lines of={identifiers} as="code" />,
          ],
        ]}
      />
      <Section title="Plan">
        {plan === undefined ? (
          <p className="quiet">
            It cannot be planned: only its fields were recorded, or the graph does not resolve it.
          </p>
        ) : (
          <OperationPlan plan={plan} />
        )}
        {movedPlan !== undefined && (
          <>
            <p>For requests that a progressive override moves:</p>
            <OperationPlan plan={movedPlan} />
          </>
        )}
      </Section>
      <Clients operations={[operation]} />
      {text !== undefined && (
        <Section title="Text">
          <pre tabIndex={0}>
            <code>{text}</code>
          </pre>
        </Section>
      )}
      {used.length > 0 && (
        <Section title={`Uses ${count(used.length, 'field')}`}>
          <ul className="columns">
            {used.map(({ type, member }) => (
              <li key={`${type.name}.${member.name}`}>
                <FieldLink type={type.name} name={member.name} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function OperationPlan({ plan }: { readonly plan: NonNullable<OperationData['plan']> }): ReactElement {
  const { colourOf } = useModel();
  return (
    <>
      <p className="quiet">
        {count(plan.length, 'fetch', 'fetches')} in {count(roundsOf(plan), 'round')}. A line leads to a fetch
        from those that it waits for.
      </p>
      <Plan fetches={plan} colourOf={colourOf} />
    </>
  );
}
