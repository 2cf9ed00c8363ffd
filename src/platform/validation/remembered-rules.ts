import { getMetadataStorage, type MetadataStorage } from 'class-validator';

type Rules = ReturnType<MetadataStorage['getTargetValidationMetadatas']>;

/**
 * Lets class-validator remember the rules of a class. By itself it looks through those of all classes at each validation,
 * to find what is inherited. A rule that is added later (a decorator of a class loaded later) ends all memories.
 */
export function rememberRules(storage: MetadataStorage = getMetadataStorage()): void {
  const known = new Map<unknown, Rules>();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);
  storage.addValidationMetadata = (rule) => {
    known.clear();
    add(rule);
  };
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    // The pipe asks for no schema and no groups; what else asks goes the package's own way.
    const isPlain = !schema && !always && !strictGroups && !groups?.length;
    const remembered = isPlain ? known.get(target) : undefined;
    if (remembered) return remembered;
    const rules = find(target, schema, always, strictGroups, groups);
    if (isPlain) known.set(target, rules);
    return rules;
  };
}
