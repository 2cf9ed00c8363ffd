const WIDTH = 28;

/** Begins a step of the tour. */
export function step(title) {
  console.log(`\n▸ ${title}`);
}

/** Prints a fact below the current step. */
export function fact(line) {
  console.log(`  ${line}`);
}

export function formatBytes(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** A progress bar: redrawn in place on a terminal, a line for each quarter elsewhere. */
export class ProgressBar {
  #shownQuarter = -1;

  constructor(unit) {
    this.unit = unit;
  }

  update(done, total) {
    const part = total > 0 ? Math.min(1, done / total) : 0;
    const filled = Math.round(part * WIDTH);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
    const line = `  ${bar} ${String(Math.round(part * 100)).padStart(3)} %  ${done} of ${total} ${this.unit}`;
    if (process.stdout.isTTY) {
      process.stdout.write(`\r${line}\u001b[K`);
      return;
    }
    const quarter = Math.floor(part * 4);
    if (quarter === this.#shownQuarter) return;
    this.#shownQuarter = quarter;
    console.log(line);
  }

  end() {
    if (process.stdout.isTTY) process.stdout.write('\n');
  }
}
