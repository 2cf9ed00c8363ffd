// Scripts of operators name the path of this file: `node dist/src/cli/main.js`.
import '../operations/cli/main';
