import type { Type } from '@nestjs/common';
import { IsInt, IsString, MetadataStorage, getMetadataStorage } from 'class-validator';
import { rememberRules } from './remembered-rules';

class Base {
  @IsString()
  name!: string;
}

class Derived extends Base {
  @IsInt()
  age!: number;
}

class Later {
  @IsInt({ groups: ['admin'] })
  @IsString()
  name!: string;
}

/** Makes a separate storage with the rules of some classes, which counts how often their rules are looked for. */
function storageOf(...classes: Type[]) {
  const storage = new MetadataStorage();
  const learn = (target: Type): void => {
    const rules = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
    for (const rule of rules) if (rule.target === target) storage.addValidationMetadata(rule);
  };
  classes.forEach(learn);
  const looks = jest.spyOn(storage, 'getTargetValidationMetadatas');
  rememberRules(storage);
  const fieldsOf = (target: Type, groups?: string[]): string[] =>
    storage.getTargetValidationMetadatas(target, '', false, false, groups).map((rule) => rule.propertyName);
  return { fieldsOf, learn, looks };
}

describe('rememberRules', () => {
  it('should look up the rules of a class once, including inherited ones', () => {
    const { fieldsOf, looks } = storageOf(Base, Derived);
    const first = fieldsOf(Derived);
    expect(new Set(first)).toEqual(new Set(['age', 'name']));
    expect(fieldsOf(Derived)).toEqual(first);
    expect(fieldsOf(Base)).toEqual(['name']);
    expect(looks).toHaveBeenCalledTimes(2);
  });

  it('should include rules that are added later', () => {
    const { fieldsOf, learn } = storageOf(Base);
    expect(fieldsOf(Later)).toEqual([]);
    learn(Later);
    expect(fieldsOf(Later)).toEqual(['name', 'name']);
  });

  it('should not mix up groups', () => {
    const { fieldsOf } = storageOf(Later);
    expect(fieldsOf(Later)).toHaveLength(2);
    expect(fieldsOf(Later, ['admin'])).toHaveLength(1);
    expect(fieldsOf(Later)).toHaveLength(2);
  });
});
