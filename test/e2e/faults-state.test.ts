// A third of the table of faults; each has a file of its own, so that they run side by side.
import { testFaults } from '../faults/suite.ts';

testFaults('state');
