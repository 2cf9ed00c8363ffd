/** The version this page was built as. */
declare const __VERSION__: string;
