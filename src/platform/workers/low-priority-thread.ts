import { isMainThread } from 'node:worker_threads';
import { lowerThreadPriority } from '../concurrency/thread-priority';

// Loaded by each worker thread before its first task.
if (!isMainThread) lowerThreadPriority();
