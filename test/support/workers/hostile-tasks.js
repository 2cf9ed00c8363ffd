/* Tasks of worker threads that misbehave, and one that does not. */

const { readFileSync, readlinkSync } = require('node:fs');
const { getPriority } = require('node:os');
const { basename } = require('node:path');

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

/** The priority of the thread it runs on. */
exports.priority = () => getPriority(Number(basename(readlinkSync('/proc/thread-self'))));
