// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A minimal smart account: one owner, who signs for it (ERC-1271).
contract SmartAccount {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recover(hash, signature) == _owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Deploys accounts at addresses known in advance, so that they can sign before they are deployed (ERC-6492).
contract SmartAccountFactory {
    function create(address owner) external returns (address) {
        return address(new SmartAccount{salt: 0}(owner));
    }
}
