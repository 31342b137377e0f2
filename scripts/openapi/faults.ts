import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Node = Readonly<Record<string, unknown>>;

/** Every object of the document, with its pointer. */
function* nodesOf(value: unknown, pointer = ''): Generator<[string, Node]> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield [pointer, value as Node];
  for (const [name, child] of Object.entries(value))
    yield* nodesOf(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** The examples of a body, a header or a parameter (`example`, `examples`), by their place in it. */
function* examplesOf({ example, examples }: Node): Generator<[string, unknown]> {
  if (example !== undefined) yield ['example', example];
  for (const [name, { value }] of Object.entries((examples ?? {}) as Record<string, Node>))
    if (value !== undefined) yield [`examples/${name}`, value];
}

/** Faults of an OpenAPI document: invalid parts, missing references, examples that their schema refuses. */
export async function faultsOf(document: Node): Promise<string[]> {
  const { errors = [] } = await new Validator().validate(structuredClone(document));
  const invalid =
    typeof errors === 'string' ? [errors] : errors.map(({ instancePath, message }) => `${instancePath}: ${message}`);
  const operations = Object.values(document['paths'] as Record<string, Node>).flatMap(Object.values) as Node[];
  const ids = operations.map(({ operationId: id }) => String(id));
  const repeated = ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `operationId ${id} stands twice`);
  if (invalid.length + repeated.length > 0) return [...invalid, ...repeated];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api:/document', ...document });
  return Array.from(nodesOf(document)).flatMap(([pointer, node]) =>
    node['schema'] === undefined
      ? []
      : Array.from(examplesOf(node)).flatMap(([name, value]) =>
          ajv.validate({ $ref: encodeURI(`api:/document#${pointer}/schema`) }, value)
            ? []
            : [`${pointer}/${name}: ${ajv.errorsText()}`],
        ),
  );
}
