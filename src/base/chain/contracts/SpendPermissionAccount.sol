// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/interfaces/IERC1271.sol";
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A smart account for the local chain and the tests: each of its owners may act and sign for it (ERC-1271).
/// A spend permission manager among the owners can take what a permission allows. The functions have the names of
/// Coinbase's smart wallet.
contract SpendPermissionAccount is IERC1271 {
    mapping(address => bool) public isOwnerAddress;

    error Unauthorized();

    event AddOwner(address indexed owner);
    event RemoveOwner(address indexed owner);

    modifier onlyOwner() {
        if (!isOwnerAddress[msg.sender] && msg.sender != address(this)) revert Unauthorized();
        _;
    }

    constructor(address[] memory owners) {
        for (uint256 i = 0; i < owners.length; i++) isOwnerAddress[owners[i]] = true;
    }

    receive() external payable {}

    /// Calls the target as this account. Passes on a revert of the target.
    function execute(address target, uint256 value, bytes calldata data) external payable onlyOwner {
        (bool success, bytes memory answer) = target.call{value: value}(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    function addOwnerAddress(address owner) external onlyOwner {
        isOwnerAddress[owner] = true;
        emit AddOwner(owner);
    }

    function removeOwnerAddress(address owner) external onlyOwner {
        isOwnerAddress[owner] = false;
        emit RemoveOwner(owner);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError problem) = ECDSA.tryRecover(hash, signature);
        bool valid = problem == ECDSA.RecoverError.NoError && isOwnerAddress[signer];
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Deploys accounts at addresses known in advance, so that they can sign before they are deployed (ERC-6492).
/// Returns the existing account if it is deployed already.
contract SpendPermissionAccountFactory {
    function createAccount(address[] calldata owners, uint256 salt) external returns (address account) {
        account = accountOf(owners, salt);
        if (account.code.length == 0) new SpendPermissionAccount{salt: bytes32(salt)}(owners);
    }

    function accountOf(address[] calldata owners, uint256 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(SpendPermissionAccount).creationCode, abi.encode(owners)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), bytes32(salt), code)))));
    }
}
