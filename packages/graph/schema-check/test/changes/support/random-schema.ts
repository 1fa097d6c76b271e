/**
 * A random schema from a small stock of names: two of them have many elements in common, and differ in all the ways in
 * which schemas can.
 */
export function randomSchema(random: () => number): string {
  const chance = (share: number): boolean => random() < share;
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) {
      throw new Error('Nothing to pick from');
    }
    return value;
  };
  const some = (names: readonly string[], share = 0.7): string[] => names.filter(() => chance(share));
  const description = (): string => (chance(0.3) ? `"${pick(['old', 'new'])} text" ` : '');
  const deprecation = (): string => (chance(0.2) ? ` @deprecated(reason: "${pick(['a', 'b'])}")` : '');
  const wrapped = (type: string): string =>
    pick([type, type, `${type}!`, `[${type}]`, `[${type}!]`, `[${type}]!`, `[${type}!]!`]);

  const enums = some(['E1', 'E2']);
  const inputs = some(['I1', 'I2']);
  const interfaces = some(['N1', 'N2']);
  const objects = ['O1', ...some(['O2', 'O3'])];
  const hasUnion = chance(0.8);
  const outputs = ['Int', 'String', 'Date', ...enums, ...objects, ...interfaces, ...(hasUnion ? ['U'] : [])];
  // E3 is only sent.
  const arrivals = ['Int', 'String', 'E3', ...enums, ...inputs];
  const input = (name: string): string => {
    const type = wrapped(pick(arrivals));
    const isOptional = !type.endsWith('!');
    const value = type.startsWith('Int') && chance(0.5) ? ` = ${pick(['1', '2'])}` : '';
    return `${description()}${name}: ${type}${value}${isOptional ? deprecation() : ''}`;
  };
  const field = (name: string): string => {
    const args = some(['a1', 'a2'], 0.4).map(input);
    const list = args.length === 0 ? '' : `(${args.join(', ')})`;
    return `  ${description()}${name}${list}: ${wrapped(pick(outputs))}${deprecation()}`;
  };
  const block = (head: string, lines: readonly string[]): string => `${head} {\n${lines.join('\n')}\n}`;
  const idField = '  id: ID!';
  return [
    block('type Query', [...outputs.map((type) => `  of${type}: ${type}`), field('random')]),
    ...(chance(0.6)
      ? [
          block(
            'type Mutation',
            arrivals.map((type) => `  take${type}(value: ${type}): Int`),
          ),
        ]
      : []),
    `scalar Date${chance(0.5) ? ` @specifiedBy(url: "https://${pick(['a', 'b'])}.example")` : ''}`,
    ...[...enums, 'E3'].map((name) =>
      block(`${description()}enum ${name}`, [
        '  V0',
        ...some(['V1', 'V2', 'V3']).map((value) => `  ${description()}${value}${deprecation()}`),
      ]),
    ),
    ...inputs.map((name) =>
      block(`${description()}input ${name}`, ['  own: Int', ...some(['f1', 'f2', 'f3']).map(input)]),
    ),
    ...interfaces.map((name) => block(`${description()}interface ${name}`, [idField])),
    ...objects.map((name) => {
      const implemented = some(interfaces, 0.5);
      const clause = implemented.length === 0 ? '' : ` implements ${implemented.join(' & ')}`;
      return block(`${description()}type ${name}${clause}`, [
        idField,
        ...some(['f1', 'f2', 'f3']).map(field),
      ]);
    }),
    ...(hasUnion
      ? [
          `union U = O1${some(objects.slice(1))
            .map((name) => ` | ${name}`)
            .join('')}`,
        ]
      : []),
    `directive @d1${chance(0.5) ? '(n: Int)' : '(n: Int, m: Int!)'} ${chance(0.5) ? 'repeatable ' : ''}on FIELD${chance(0.5) ? ' | QUERY' : ''}`,
    ...(chance(0.6) ? ['directive @d2 on FIELD'] : []),
    `${description()}${chance(0.8) ? 'type' : 'interface'} Odd {\n${idField}\n}`,
  ].join('\n\n');
}
