// The table of faults under one permission mode; each has a file of its own, so that they run side by side.
import { testFaults } from '../faults/suite.ts';

testFaults('acceptEdits');
