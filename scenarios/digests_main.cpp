// lockstep_digests LIST: prints a list of runs with every digest computed anew. tools/determinism
// builds it in many ways and compares what they print.
#include <fstream>
#include <iostream>
#include <sstream>

#include "scenarios/golden_digests.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: lockstep_digests LIST\n";
    return 1;
  }
  std::ifstream file(argv[1]);
  std::ostringstream list;
  list << file.rdbuf();
  if (!file) {
    std::cerr << "lockstep_digests: cannot read " << argv[1] << "\n";
    return 1;
  }
  std::cout << lockstep::scenarios::RecomputeDigests(list.str());
  return 0;
}
