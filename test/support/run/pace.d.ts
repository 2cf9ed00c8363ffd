export declare function readPace(): number;
