import { join } from 'node:path';
import { readWithProgram } from './json-lines-reader';
import type { ReadFiles } from './reading';

/** Python's `email`, of the standard library. */
export const readWithPython: ReadFiles = (paths) =>
  Promise.resolve(readWithProgram('python3', [join(__dirname, 'read-with-python.py')], paths));
