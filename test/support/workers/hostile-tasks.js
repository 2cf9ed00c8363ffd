/* Tasks of worker threads that misbehave, and one that does not. */

const { readFileSync } = require('node:fs');

/** Takes memory until there is none. */
exports.hoard = () => {
  const all = [];
  for (;;) all.push(new Array(1_000_000).fill(all.length + 0.5));
};

exports.spin = () => {
  for (;;);
};

exports.answer = (value) => value;

/** Reads a folder as if it were a file. */
exports.readFolder = () => readFileSync(__dirname);
