import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readWithProgram } from './json-lines-reader';
import type { ReadFiles } from './reading';

/** Debian's package `libapache-mime4j-java`. */
const JARS = ['core', 'dom', 'storage'].map((part) => `/usr/share/java/apache-mime4j-${part}.jar`);

/** mime4j of Apache James, run from its source by a JDK from 11 on. */
export const readWithMime4j: ReadFiles = (paths) => {
  if (!JARS.every((jar) => existsSync(jar))) return Promise.resolve(null);
  const parameters = ['-Dfile.encoding=UTF-8', '-cp', JARS.join(':'), join(__dirname, 'ReadWithMime4j.java')];
  return Promise.resolve(readWithProgram('java', parameters, paths));
};
