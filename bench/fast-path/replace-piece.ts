import 'reflect-metadata';
import { FAST_PATH_PIECES } from './pieces';

/** Node loads this before the service: the piece of the fast path that `REPLACED_PIECE` names goes the usual way. */
const name = process.env.REPLACED_PIECE ?? '';
const piece = FAST_PATH_PIECES[name];
if (!piece) throw new Error(`REPLACED_PIECE names no piece of the fast path: ${name}`);
piece.replace();
